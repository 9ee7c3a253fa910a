"""From an invitation to the first prompt: challenges, open tables, what can be agreed."""
