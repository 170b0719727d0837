docker run --detach --publish 8787:8787 --env SIDECARD_SECRET --env API_TOKEN --env API_URL=https://api.example.com {{name}}
