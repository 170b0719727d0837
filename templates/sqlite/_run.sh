docker run --detach --publish 8787:8787 --env SIDECARD_SECRET --volume customers:/data {{name}}
