# Runs once, when the database of compose.yaml is created. Migrations change tables as `users`; the service only changes rows.
docker_process_sql --database=mysql <<SQL
CREATE USER 'service'@'%' IDENTIFIED BY '$(cat /run/secrets/service_password)';
GRANT SELECT, INSERT, UPDATE, DELETE ON users.* TO 'service'@'%';
SQL
