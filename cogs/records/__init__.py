"""What was played: leaderboard, profile, history, sheets."""
