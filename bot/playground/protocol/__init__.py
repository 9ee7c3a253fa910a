"""The words of Discord that REST and the gateway share: JSON, components, refusals, its own description."""
