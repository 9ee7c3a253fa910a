-- Kind 4 was for reminders. Nothing brings them up to date, so no bot knows it any more.
DELETE FROM surfaces WHERE kind = 4;
