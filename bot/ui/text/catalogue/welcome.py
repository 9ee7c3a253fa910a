"""The home card, the first match, where the games come from, and the glossary."""

from collections.abc import Mapping

from bot.engine.counted import Counted, Sentence

WELCOME: Mapping[str, Sentence] = {
    "tip": "-# Tip: {tip}",
    "tip-line": "* {tip}",
    "tips": "Tips",
    "tips-title": "### {game}: how to play it well",
    "about": "About",
    "about-title": "### About these games",
    "about-history": "**History** GOPS, the Game of Pure Strategy, is also called Goofspiel. Merrill Flood is said to"
    " have made it at Princeton in the 1930s. Game theory has liked it ever since: everybody has the same cards, and"
    " only the order of the prizes is chance.",
    "about-solved": "**Pure strategy?** In 1971 Sheldon Ross showed that nothing beats bidding the prize's own rank"
    " against a player who bids at random. But a fixed plan can be read and beaten, so perfect play chooses its bids"
    " at random: textbooks call that a mixed strategy. Glenn Rhoads and Laurent Bartholdi published such play for 13"
    " cards in 2012. */gops analyse* and */gops review* show it, and Sage plays it.",
    "about-relatives": "**Relatives** *Gops for three* and *Throps* are David Parlett's. *Vultures* is Alex"
    " Randolph's, sold as Hol's der Geier, Raj, Beat the Buzzard and What the Heck? *Psych* comes from Brad Chapman,"
    " *SOPS* from John Conway, *Bid* from Brendan Winter, *Welsh Warfare* from Rhys Morgan. *Pico* is Frank Nestel's,"
    " published by Doris & Frank.",
    "about-trivia": "**Trivia** The 13 prizes are worth 91 points, an odd number: two players who never tie a round"
    " can't draw. Nobody can win all of them, because both have the same cards: 90 is the most. Alex Randolph first"
    " met bidding like this in the war, in the 5th Indian division, where it was played for money.",
    "about-many": "**How many** With {cards} cards the prizes can come in {deals} orders ({cards}!), and each of two"
    " players can play their cards in as many: in all {cards}! × {cards}! × {cards}! different games, a number of"
    " {digits} digits.",
    "about-sources": "**Sources** pagat.com and its page of invented games, David Parlett's card games, texts on GOPS"
    " by Kerr and Mittal, and OpenSpiel. Where they say nothing, the referee has its own rulings, listed in its"
    " documents.",
    "theory": "Theory",
    "theory-title": "### What is known about GOPS",
    "theory-counts": "**Counts** With N cards there are (N!)³ games. There are j × C(N, j)³ positions with j cards left"
    " and a prize turned up. To solve the game, each position needs one table with a number for each pair of bids:"
    " 3 + 54 tables for 3 cards, 4 + 192 + 432 for 4 cards.",
    "theory-ross": "**Ross, 1971** Three results: against a player who bids at random the best answer is the prize's"
    " own rank; if both bid before the prize is turned up, bidding at random is best for both; and Goofspiel is a"
    " stochastic game, which is solved from its last round back to the first.",
    "theory-uses": "**What it is a model of** Two firms that compete to buy the same goods (a *duopsony*). Two"
    " architects with limited time who decide how much work each of several designs is worth; the better design"
    " gets the job. Two generals who decide how many troops go to each of several battles.",
    "theory-reading": "**To read** (the list is Kerr's)",
    "theory-books": "* Dror, Simple Proof for Goofspiel, Advances in Applied Probability 21 (1989), 711-712\n"
    "* Epstein, Theory of Gambling and Statistical Logic (1977), 331\n"
    "* Gale, The Theory of Linear Economic Models (1960), 184-186, 189\n"
    "* Luce and Raiffa, Games and Decisions (1957), 44-47, 52\n"
    "* Nakai, Generalized Goofspiel, Journal of the Operations Research Society of Japan 23 (1980), 156-170\n"
    "* Owen, Game Theory, 2nd edition (1982), 3, 4\n"
    "* Ross, Goofspiel: The Game of Pure Strategy, Journal of Applied Probability 8 (1971), 621-625\n"
    "* Williams, The Compleat Strategyst (1954), 180",
    "which": "Which rules?",
    "which-title": "### Which rules for what?",
    "which-carry": "**To think hard, or to teach game theory:** *Carried ties*: a tied prize stays in the pot, so every"
    " bid matters.",
    "which-discard": "**For a short game:** *Quick GOPS*: 7 cards, and nobody gets a tied prize.",
    "which-order": "**For puzzles and analysis:** *Known order* or *Fixed order*: you see the order of the"
    " prizes, so no luck is left.",
    "which-best-of": "**For a tournament:** *Best of 5* in the menu *Series*.",
    "which-blind": "**For pure guessing:** *Blind bids*: you bid before the prize is turned up. Then no plan is better"
    " than bidding at random.",
    "glossary": "Glossary",
    "glossary-title": "### Glossary",
    "back-to-rules": "◀ Rules",
    "word-match": "**Match** From the challenge to the result. Its code looks like #K7Q2.",
    "word-game": "**Game** A set of rules: Classic, Vultures, Pico.",
    "word-seat": "**Seat** A player's place in a match.",
    "word-challenge": "**Challenge, table** A challenge invites players by name. A table is open to everyone.",
    "word-prize": "**Prize** The card that you bid for in a round.",
    "word-pot": "**Pot** Tied prizes that wait for the next winner, who takes them too.",
    "word-hand": "**Hand** The cards that you hold.",
    "word-bid": "**Bid** The card, or cards, that you play for a prize.",
    "word-seal": "**Seal** A sealed bid is in, and nobody else can see it. Its seal is a code that proves later that it"
    " was not changed. The deal and the match have a seal too.",
    "word-reveal": "**Reveal** All bids are shown at the same time.",
    "word-round": "**Round, 2nd bid** A round is the bids for one prize. After a tie some games ask for a 2nd bid. In"
    " Welsh Warfare a round is called a trick.",
    "word-deal": "**Deal, series** In a deal the cards are dealt once and played to the end. A series is a match of"
    " several deals.",
    "word-board": "**Board** The public message of a match.",
    "word-console": "**Console** Your private message with your cards as buttons.",
    "word-sheet": "**Sheet** The list of rounds.",
    "word-clock": "**Clock** The time for each bid.",
    "word-mix": "**Random choice** A plan with several cards, and how often to bid each. Chance chooses the card,"
    " so that nobody can guess it. Textbooks call such a plan a *mixed strategy*.",
    "word-chance": "**Win chance, expected lead** If both play well: how often you win (a draw counts half), and by how"
    " many points you lead at the end on average.",
    "word-cost": "**Cost** What a bid gives away: how much win chance, or how many points, you lose against a perfect"
    " opponent with this bid instead of the best one. Textbooks call it *regret*.",
    "word-perfect": "**Perfect** Solved exactly: nobody can play better.",
    "word-estimated": "**Estimated** Not solved exactly. A review marks such a round with ≈.",
    "word-grades": "**Good, mistake, blunder** The three grades of a bid in a review. They depend only on what the bid"
    " itself gives away: *Numbers* in a review shows the limits. A good bid is *unlucky* if the other card made your"
    " win chance fall.",
    "word-luckiest": "**Luckiest round** The round in which a player gained most, compared with what was expected.",
    "word-puzzle": "**Puzzle rating** A right answer raises yours, a wrong one lowers it. Each puzzle has a rating"
    " too: a hard puzzle has a high one.",
    "word-house": "**House** Computer players: Random, Matcher, Sly, Reader, Hawk and Sage.",
    "home-title": "### GOPS",
    "home-text": "One prize, one hidden card each. The higher card takes the prize, and both cards are gone. You both"
    " have the same cards: you win by guessing what the other will bid. About 5 minutes."
    " The house: computer players.",
    "home-picture": "A fan of seven cards. The one in the middle is sealed.",
    "home-house": "Play the house",
    "home-waiting": Counted(
        "You have a practice match with {names}: #{m}, 1 round played.",
        "You have a practice match with {names}: #{m}, {n} rounds played.",
    ),
    "continue": "Continue",
    "new-match": "New match",
    "home-guide": "How it works",
    "home-challenge": "Challenge a player",
    "home-more": "-# /gops open: a table for anyone · /gops games: your matches · /gops leaderboard: who is best",
    "hello-more": "-# /gops challenge: play someone · /gops practice: play the house · /gops settings show: set me up",
    "home-more-dm": "-# To challenge a player, use /gops challenge in a server. /gops games finds your matches.",
    "home-more-outside": "-# To challenge a player here, use /gops challenge. /gops games finds your matches.",
    "home-foot": "-# GOPS referee {version} · If something in a match is wrong, tell a moderator of your server"
    " the code of the match, like #7KQM.",
    "home-support": "-# GOPS referee {version} · If a match goes wrong, report its code here: <{link}>",
    "lesson-title": "### How it works · round {n} of {of}",
    "lesson-begin": "There are five prizes. You and Matcher, a computer player, have the same five cards: A (1) to 5."
    " In each round you both bid one card in secret. The higher card takes the prize, and both cards are gone. Most"
    " points at the end wins.",
    "lesson-other": "This teaches the basics with Classic GOPS. {game} has its own rules: press *Rules* under the"
    " challenge.",
    "lesson-back": "Welcome back: you stopped here.",
    "lesson-prize": Counted("## Prize {prize}: 1 point", "## Prize {prize}: {n} points"),
    "lesson-bid-first": "Press a card. That is your bid.",
    "lesson-bid": "What do you bid for it?",
    "lesson-score": "Score: You {x} · Matcher {y}",
    "lesson-held": "-# Matcher's cards: {hand} · prizes left: {left}",
    "lesson-skip": "Skip the rest",
    "ace": "Ace",
    "lesson-won": "Your {x} beats Matcher's {y}, and you win the {prize}. Well played: you used the lowest"
    " card that wins. Matcher always bids the same card as the prize.",
    "lesson-dear": "Your {x} beats Matcher's {y}. You win the {prize}, but your {card} was enough, and your {x} is"
    " gone. Matcher always bids the same card as the prize.",
    "lesson-tied": "You both bid the {x}, so nobody gets the prize, and both cards are gone. Your {card} would have"
    " won: Matcher always bids the same card as the prize.",
    "lesson-tied-high": "You both bid the {x}, so nobody gets the prize, and both cards are gone. Matcher always bids"
    " the same card as the prize.",
    "lesson-given": "Matcher's {y} beats your {x} and takes the prize. That is good play: you spent only your lowest"
    " card, and Matcher had to spend its {y}.",
    "lesson-beaten": "Matcher's {y} beats your {x} and takes the {prize}. Your {x} is gone. If you can't win, bid your"
    " lowest card: the {low}.",
    "lesson-last-you": "Each player had one card left, so the last round was played automatically. You win the"
    " {prize}.",
    "lesson-last-house": "Each player had one card left, so the last round was played automatically. Matcher wins the"
    " {prize}.",
    "lesson-last-nobody": "Each player had one card left, so the last round was played automatically. It is a tie:"
    " nobody gets the {prize}.",
    "lesson-won-all": "### You win {x}–{y}.",
    "lesson-lost-all": "### Matcher wins {y}–{x}.",
    "lesson-drawn-all": "### A draw, {x}–{y}.",
    "lesson-best": "That is the best possible score.",
    "lesson-better": "Best possible: {x}–{y}. Always bid one more than Matcher; if you can't, bid your lowest card.",
    "lesson-now": "That is the whole game. Matcher never changes its plan, but people do: guess what they will bid, and"
    " don't let them guess your bid.",
}
