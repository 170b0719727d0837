npx wrangler d1 create {{name}}    # copy the printed ID into wrangler.jsonc
