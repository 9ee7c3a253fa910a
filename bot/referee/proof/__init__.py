"""The proof of fairness: nonce, deal, seals, and the draws of the house. `verify` checks them."""
