INSERT OR IGNORE INTO admin_removals (id, total) VALUES (1, 0)
