"""Several processes of one bot on one PostgreSQL server, with a balancer before them."""
