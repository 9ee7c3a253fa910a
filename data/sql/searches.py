"""People who search for an opponent, and the messages that show them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.referee.model import searches as model
from bot.referee.model.model import Snowflake, UserId
from bot.referee.model.searches import Search, SearchPost
from data.sql.codec import Columns, to_micros
from data.sql.statement import Read, Statement, all_rows, first_row

SEARCH = Columns(Search, lobby="lobby_id")
POST = Columns(SearchPost)


def search(user: UserId) -> Read[Search | None]:
    """Read the search of a person, in whichever server it is."""
    return first_row(f'SELECT {SEARCH} FROM searches WHERE "user" = ?', (user,), SEARCH.read)


def searches_in(guild: Snowflake) -> Read[Sequence[Search]]:
    """Read the searches of a server, those of pairs included, the oldest first."""
    where = 'WHERE guild = ? ORDER BY began, "user"'
    return all_rows(f"SELECT {SEARCH} FROM searches {where}", (guild,), SEARCH.read)


def search_posts(guild: Snowflake) -> Read[Sequence[SearchPost]]:
    """Read the messages of a server that show who waits."""
    return all_rows(f"SELECT {POST} FROM search_posts WHERE guild = ? ORDER BY channel", (guild,), POST.read)


def new_search(step: model.NewSearch) -> Iterator[Statement]:
    search = step.search
    yield Statement(
        f"{SEARCH.insert('searches')} ON CONFLICT DO NOTHING",
        SEARCH.write(search),
        1,
        f"{search.user} searches already",
    )


def save_search(step: model.SaveSearch) -> Iterator[Statement]:
    search, before = step.search, step.before
    yield Statement(
        """UPDATE searches SET channel = ?, waited = ?, lobby_id = ?
            WHERE "user" = ? AND guild = ? AND began = ? AND waited = ? AND lobby_id = ?""",
        (
            *(search.channel, search.waited, search.lobby),
            *(before.user, before.guild, to_micros(before.began), before.waited, before.lobby),
        ),
        1,
        f"the search of {search.user} is another one by now",
    )


def free_search(step: model.FreeSearch) -> Iterator[Statement]:
    yield Statement(
        "UPDATE searches SET lobby_id = '' WHERE \"user\" = ? AND lobby_id = ?",
        (step.user, step.lobby),
    )


def drop_search(step: model.DropSearch) -> Iterator[Statement]:
    if step.lobby is None:
        yield Statement('DELETE FROM searches WHERE "user" = ?', (step.user,))
    else:
        yield Statement('DELETE FROM searches WHERE "user" = ? AND lobby_id = ?', (step.user, step.lobby))


def save_search_post(step: model.SaveSearchPost) -> Iterator[Statement]:
    post, failure = step.post, f"the message in {step.post.channel} was changed meanwhile"
    if step.was is None:
        yield Statement(f"{POST.insert('search_posts')} ON CONFLICT DO NOTHING", POST.write(post), 1, failure)
        return
    yield Statement(
        f"UPDATE search_posts SET {POST.assignments()} WHERE channel = ? AND edited = ?",
        (*POST.write(post), post.channel, to_micros(step.was)),
        1,
        failure,
    )
