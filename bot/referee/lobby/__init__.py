"""From an invitation to the first prompt: challenges, open tables and the agreed setup."""
