"""What a server decides, and what its moderators do."""

from collections.abc import Mapping

from bot.engine.counted import Counted, Sentence
from bot.referee.model.guild_settings import SETTINGS, ChoiceSetting, Setting


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _sentences(name: str, setting: Setting) -> dict[str, Sentence]:
    """Make the sentences of a setting from the words of its declaration."""
    label = setting.label or _capital(setting.words)
    words = _capital(setting.words)
    found: dict[str, Sentence] = {
        f"set-{name}": f"{words}: {{value}}",
        f"changed-{name}": f"{words}: {{before}} → {{value}}",
    }
    found |= {f"value-{name}-{key}": words for key, words in setting.values.items()}
    if setting.about:
        found |= {f"settings-{name}": setting.about, f"menu-{name}": _capital(setting.values.get("none", label))}
        if isinstance(setting, ChoiceSetting):
            labels = {key: _capital(words) for key, words in setting.values.items()} | {**setting.labels}
            found |= {f"choice-{name}-{key}": words for key, words in labels.items()}
    elif setting.card:
        found[f"settings-{name}"] = f"{label}: {{value}}"
    return found


SERVERS: Mapping[str, Sentence] = {
    **{id: text for name, setting in SETTINGS.items() for id, text in _sentences(name, setting).items()},
    # the card
    "settings-title": "### GOPS in this server",
    "settings-threads-missing": "⚠ I need {permissions} here; until then boards stay in the channel.",
    "settings-foot": "-# Every change is saved at once.",
    "settings-more": "Rules and limits",
    "settings-audit": "Audit log",
    "settings-saved": "✔ {what}",
    "settings-same": "Nothing changed. {what}.",
    "settings-moved": "Another moderator has just changed this setting. {what}. Choose again if you want to change it.",
    "settings-log-silent": "I can't write in {channel}. Allow me to view the channel and to send messages.",
    # the form
    "form-late": "That took too long to open. Press again.",
    "form-rules-usual": "Rules of {game} here",
    "form-rules-hint": "for example: 10 cards, ties split",
    "form-rules-note": "For challenges that name no game. Empty: the default rules",
    "form-matches": "Running matches per player, at most",
    "rules-long": "Those rules are too long. Use fewer.",
    # the audit log
    "audit-title": "### What moderators did here",
    "audit-none": "Nobody has changed anything yet.",
    "audit-set": "{t} {name}: {what}",
    "audit-export": "As a file",
    "audit-file": Counted("1 entry, oldest first, one a line.", "{n} entries, oldest first, one a line."),
    "audit-match": "{t} {name}: {what} #{m}, {reason}",
    "audit-ban": "{t} {name}: {what} {who}, {reason}",
    "audit-unban": "{t} {name}: {what} {who}",
    "did-stop": "stopped",
    "did-unrate": "unrated",
    "did-decide": "decided",
    "did-ban": "banned",
    "did-unban": "ended the ban of",
    "log-stop": "{name} stopped #{m}: {reason}. It does not count.",
    "log-unrate": "{name} took #{m} out of the ratings: {reason}.",
    "log-decide": "{name} decided #{m}: {result}. {reason}",
    "log-ban": "{name} banned {who} from playing here until {t}. Reason: {reason}",
    "log-ban-bare": "{name} banned {who} from playing here until {t}.",
    "log-unban": "{name} ended the ban of {who}.",
    # moderators
    "form-stop": "Stop #{m}",
    "form-unrate": "Take #{m} out of the ratings",
    "form-decide": "Decide #{m}",
    "form-reason": "Reason",
    "form-reason-note": "Shown to the players",
    "ask-decide": "Decide #{m}: {name} wins? It counts like any other match. All players see your reason.",
    "ask-decide-draw": "Decide #{m} of {names} as a draw? It counts like any other match. All players see your reason.",
    "reason-needed": "Add a reason: the players see it.",
    "banned-here": "A moderator banned you from playing here: {reason}. You can play again from {t}.",
    "banned-bare": "A moderator banned you from playing here. You can play again from {t}.",
    "banned-them": "{name} can't play GOPS here now.",
    "not-banned": "{name} is not banned here.",
    "ban-done": "{name} can't play GOPS here for {span}. Reason: {reason}. Their live matches continue.",
    "ban-done-bare": "{name} can't play GOPS here for {span}. Their live matches continue.",
    "unban-done": "{name} can play GOPS here again.",
    "log-set": "{name} changed a setting. {what}",
    "log-refused": "Discord refuses my message in {channel} (error {code}), so I stopped trying. Check AutoMod, and"
    " whether the channel is locked.",
}
