"""That nobody cheated: the nonce, the deal, the seals, the house's chance. `verify` checks them."""
