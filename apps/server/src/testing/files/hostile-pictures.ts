/** Drawings that try to run something, to fetch something, or to become very large. `MARK` is in what they would do. */

export const MARK = 'picture-ran'
const HEAD =
  '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9"'
const RUN = `fetch('/${MARK}');parent.document.title=document.title='${MARK}'`
const inside = (text: string): string => `${HEAD}>${text}</svg>`
/** A name that stands for ten of the one before, nine times over: a billion. */
const LAUGHS = Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join('')

export const HOSTILE_PICTURES: readonly string[] = [
  inside(`<script>${RUN}</script>`),
  inside(`<script type="text/ecmascript">${RUN}</script>`),
  inside(`<script><![CDATA[${RUN}]]></script>`),
  inside(`<script href="/${MARK}.js"/>`),
  inside(`<script xlink:href="data:text/javascript,${encodeURIComponent(RUN)}"/>`),
  inside(`<SCRIPT>${RUN}</SCRIPT><script\n>${RUN}</script\n>`),
  `${HEAD} onload="${RUN}"/>`,
  `${HEAD} onload='${RUN.replaceAll("'", '"')}' onfocusin="${RUN}" tabindex="0" autofocus=""/>`,
  inside(`<rect width="9" height="9" onclick="${RUN}" onmouseover="${RUN}"/>`),
  inside(`<animate onbegin="${RUN}" attributeName="x" dur="1s"/>`),
  inside(`<set attributeName="onmouseover" to="${RUN}"/>`),
  inside(`<image href="x:x" onerror="${RUN}"/>`),
  inside(`<image href="/${MARK}.png"/>`),
  inside(`<a href="javascript:${encodeURIComponent(RUN)}"><rect width="9" height="9"/></a>`),
  inside(`<a xlink:href="java&#115;cript:${encodeURIComponent(RUN)}"><text y="9">x</text></a>`),
  inside(`<a><animate attributeName="href" values="javascript:${RUN}"/><text y="9">x</text></a>`),
  inside(`<use href="/${MARK}.svg#a"/>`),
  inside(`<use href="data:image/svg+xml,${encodeURIComponent(`${HEAD} id="a" onload="${RUN}"/>`)}#a"/>`),
  inside(`<foreignObject width="9" height="9"><iframe xmlns="http://www.w3.org/1999/xhtml" src="javascript:${RUN}"/></foreignObject>`),
  inside(`<foreignObject width="9" height="9"><body xmlns="http://www.w3.org/1999/xhtml"><img src="x" onerror="${RUN}"/></body></foreignObject>`),
  inside(`<style>@import url(/${MARK}.css); rect { fill: url(/${MARK}.svg#f) }</style><rect width="9" height="9"/>`),
  inside(`<metadata><script>${RUN}</script></metadata><title>x</title>`),
  `<?xml version="1.0"?><!-- --><svg xmlns="http://www.w3.org/2000/svg"><handler xmlns="http://www.w3.org/2001/xml-events" type="text/javascript">${RUN}</handler></svg>`,
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000000000 1000000000" width="1000000000" height="1000000000"><script>${RUN}</script></svg>`,
  inside(`<embed xmlns="http://www.w3.org/1999/xhtml" src="javascript:${RUN}"/><script>${RUN}</script>`),
] // biome-ignore format: a list of drawings

/** With definitions before the drawing, which a reader of pictures here does not take for one. */
export const DEFINED_PICTURES: readonly string[] = [
  `<?xml version="1.0"?><?xml-stylesheet href="/${MARK}.css"?>${inside('')}`,
  `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${inside('<text>&x;</text>')}`,
  `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY l0 "ha">${LAUGHS}]>${inside('<text>&l9;</text>')}`,
  `<!DOCTYPE svg SYSTEM "http://127.0.0.1/${MARK}.dtd">${inside('')}`,
]
