CREATE INDEX IF NOT EXISTS users_role ON users (role)
