import { withBase } from 'vitepress'
import { defineComponent, h, nextTick, onMounted, onUnmounted, ref } from 'vue'

/** The playground, which is a separate page, inside a page of the site. */
export const Playground = defineComponent(() => {
  const source = ref('')
  // A shared link has the payload in its fragment. It is passed on once, so that a reload keeps the edited text.
  const open = () => {
    source.value = ''
    void nextTick(() => {
      source.value = withBase(`/playground-app/index.html${location.hash}`)
      if (location.hash !== '') history.replaceState(history.state, '', location.pathname)
    })
  }
  onMounted(() => {
    open()
    addEventListener('hashchange', open)
  })
  onUnmounted(() => removeEventListener('hashchange', open))
  return () =>
    source.value !== '' &&
    h('iframe', { class: 'playground', title: 'Playground', src: source.value })
})
