CREATE INDEX users_role ON users (role)
