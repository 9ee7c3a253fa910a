"""What a server decides, and what its moderators do."""

from collections.abc import Mapping

from bot.engine.counted import Counted, Sentence
from bot.referee.model.guild_settings import SETTINGS, ChoiceSetting, Setting


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _sentences(name: str, setting: Setting) -> dict[str, Sentence]:
    """Make the sentences of a setting from the words of its declaration."""
    label = setting.label or _capital(setting.words)
    found: dict[str, Sentence] = {f"set-{name}": f"{setting.words} {{value}}"}
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
    "settings-threads-missing": "⚠ I lack {permissions} here, so boards stay in the channel.",
    "settings-foot": "-# Every change is saved at once.",
    "settings-more": "Rules and limits",
    "settings-audit": "Audit log",
    "settings-same": "Nothing changed: it is {what} already.",
    "settings-moved": "Somebody has changed that since you looked: {what}. It stays so; choose again if you still want"
    " it otherwise.",
    "settings-log-silent": "I cannot write in {channel}. Let me view that channel and send messages there.",
    # the form
    "form-late": "That took too long to open. Press once more.",
    "form-rules-usual": "Rules of {game} here",
    "form-rules-hint": "such as: ties split, 10 cards",
    "form-rules-note": "For whoever names no game. Empty: as the game has it",
    "form-matches": "Live matches each person may have",
    "rules-long": "Those rules are too long, even written as briefly as they can be. Use fewer.",
    # the audit log
    "audit-title": "### What moderators did here",
    "audit-none": "Nobody has changed anything yet.",
    "audit-set": "{t} {name}: {what}, before {before}",
    "audit-export": "As a file",
    "audit-file": Counted("1 entry, oldest first, one a line.", "{n} entries, oldest first, one a line."),
    "audit-match": "{t} {name}: {what} #{m}, {reason}",
    "audit-bar": "{t} {name}: {what} {who}, {reason}",
    "audit-unbar": "{t} {name}: {what} {who}",
    "did-stop": "stopped",
    "did-void": "took out of the ratings",
    "did-decide": "decided",
    "did-bar": "barred",
    "did-unbar": "lifted the bar of",
    "log-stop": "{name} stopped #{m}: {reason}. It does not count.",
    "log-void": "{name} took #{m} out of the ratings: {reason}.",
    "log-decide": "{name} decided #{m}: {result}. {reason}",
    "log-bar": "{name} barred {who} from playing here until {t}. Reason: {reason}",
    "log-unbar": "{name} lifted the bar of {who}.",
    # moderators
    "form-stop": "Stop #{m}",
    "form-void": "Take #{m} out of the ratings",
    "form-decide": "Decide #{m}",
    "form-reason": "Reason",
    "form-reason-note": "Shown to the players",
    "ask-decide": "Decide #{m}: {name} wins? It counts like any other match. Everybody is told, with your reason.",
    "ask-decide-draw": "Decide #{m} of {names} as a draw? It counts like any other match. Everybody is told, with your"
    " reason.",
    "reason-needed": "Say why: the players read it.",
    "bar-reason-needed": "Add a reason: {name} reads it. Nothing changed.",
    "barred": "A moderator keeps you from playing here: {reason}. You can again from {t}.",
    "barred-nameless": "A moderator keeps you from playing here. You can again from {t}.",
    "barred-them": "{name} may not play here now.",
    "not-barred": "{name} may play here as it is.",
    "bar-done": "Done. {name} may not play here until {t}. Reason: {reason}. What they play already goes on.",
    "unbar-done": "Done. {name} may play here again.",
    "log-set": "{name} changed the settings: {what}, before {before}.",
    "log-refused": "Discord refuses my message in {channel} (error {code}), so I stopped trying. Check AutoMod, and"
    " whether the channel is locked.",
}
