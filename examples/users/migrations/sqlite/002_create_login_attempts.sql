CREATE TABLE IF NOT EXISTS login_attempts (
  subject TEXT NOT NULL PRIMARY KEY,
  attempts INTEGER NOT NULL,
  window_ends INTEGER NOT NULL,
  blocked_until INTEGER NOT NULL
) STRICT
