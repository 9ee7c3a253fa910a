"""Tools for operators: backups, restore, `gops doctor`, metrics, and notifications to supervisors."""
