CREATE INDEX IF NOT EXISTS login_attempts_window_ends ON login_attempts (window_ends)
