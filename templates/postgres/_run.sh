export DATABASE_URL="postgres://user:password@host:5432/customers"
npm run migrate
docker run --detach --publish 8787:8787 --env SIDECARD_SECRET --env DATABASE_URL {{name}}
