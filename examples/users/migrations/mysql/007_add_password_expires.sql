ALTER TABLE users ADD COLUMN password_expires BIGINT NULL
