import { useState } from 'preact/hooks'
import { isLink } from '../../../../runtime/contract/uri.ts'
import style from './widget.module.css'

/** An icon. It is not shown if its URL is invalid or cannot be loaded. */
export function IconImage({ url }: { readonly url: string | undefined }) {
  const [broken, setBroken] = useState<string | null>(null)
  if (url === undefined || url === broken || !/^https?:/i.test(url) || !isLink(url)) return null
  return (
    <img
      class={style['icon-image']}
      src={url}
      alt=""
      width={16}
      height={16}
      decoding="async"
      referrerpolicy="no-referrer"
      onError={() => setBroken(url)}
    />
  )
}
