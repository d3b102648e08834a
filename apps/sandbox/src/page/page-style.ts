/** The sandbox page's look: the tokens of the portals, and amber tape that only the sandbox has. */
export const PAGE_STYLE = `
:root{color-scheme:light dark;
--bg:light-dark(#eceef2,#121418);--surface:light-dark(#fff,#1b1e24);--text:light-dark(#16181d,#e8eaee);
--text-2:light-dark(#4a4f57,#aab0ba);--line:light-dark(#d9dce1,#343943);--line-2:light-dark(#e9ebee,#282c34);
--line-strong:light-dark(#6b7280,#7b818b);--fill:light-dark(#0b5c6b,#0f6d7e);--accent:light-dark(#0b5c6b,#63b7c6);
--ok:light-dark(#0f6b3a,#6ee7a0);--ok-bg:light-dark(#e7f6ec,#10291b);
--warn:light-dark(#8a4b00,#ffc766);--warn-bg:light-dark(#fff4e0,#33240a);
--bad:light-dark(#a3160f,#ff9d95);--bad-bg:light-dark(#fdecea,#3a1513);
--accent-bg:light-dark(#e4eff1,#16313a);
--font:system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans",sans-serif}
*{box-sizing:border-box;margin:0}
body{background:var(--bg);color:var(--text);font:400 .875rem/1.375rem var(--font);min-height:100vh;
display:flex;flex-direction:column;font-variant-numeric:tabular-nums lining-nums}
strong,h1,h2{font-weight:600}
.quiet{color:var(--text-2)}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.icon{width:1em;height:1em;flex:none;fill:none;stroke:currentColor;stroke-width:1.5;
stroke-linecap:round;stroke-linejoin:round}
:focus-visible{outline:3px solid var(--text);outline-offset:2px}
[data-region]:focus{outline:none}

header{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem 1rem;padding:.8125rem 1.5rem;
background:var(--surface);border-bottom:1px solid var(--line)}
.tape{padding:.1875rem .875rem;border-radius:.3125rem;font-weight:600;font-size:.8125rem;color:#3b2500;
background:repeating-linear-gradient(135deg,#ffc766 0 11px,#f5b03e 11px 22px)}
h1{font-size:1rem;line-height:1.5rem;letter-spacing:-.012em}
#day{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem 1rem;margin-left:auto}
.today{color:var(--text-2);white-space:nowrap}
.today strong{color:var(--text);font-size:1rem;margin-left:.25rem}
.tools{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem}

button{min-height:2rem;padding:.25rem .75rem;border:1px solid var(--line);border-radius:.4375rem;
background:var(--surface);color:var(--text);font:500 .8125rem/1.25rem var(--font);cursor:pointer;
transition:background-color 120ms}
button:hover{background:color-mix(in oklch,var(--surface) 95%,var(--text))}
button:active{transform:translateY(1px)}
kbd{display:inline-block;min-width:1.125rem;margin-left:.25rem;padding:0 .25rem;border:1px solid var(--line);
border-bottom-width:2px;border-radius:.25rem;font:500 .6875rem/.875rem var(--font);color:var(--text-2);
text-align:center}
.no-keys kbd{display:none}
.quiet-button{border-color:transparent;background:none;color:var(--accent);text-decoration:underline;
text-underline-offset:.1875rem;padding:.25rem}

#alert{display:block}
#alert:empty{display:none}
#alert{margin:1rem 1.5rem 0;padding:.625rem .75rem;border-radius:.5rem;background:var(--bad-bg);color:var(--bad)}

main{flex:1;display:grid;grid-template-columns:20rem minmax(0,1fr) 23rem;gap:1.25rem;padding:1.25rem 1.5rem;
align-items:start;width:100%;max-width:100rem;margin:0 auto}
.left,.middle,.right{display:grid;grid-template-columns:minmax(0,1fr);gap:1.25rem;min-width:0}
nav{display:none}
.card{background:var(--surface);border:1px solid var(--line);border-radius:.75rem;padding:1rem 1.125rem}
.card-head{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:.5rem;
min-height:2rem}
.card h2{display:flex;align-items:center;gap:.625rem;font-size:.9375rem;line-height:1.5rem}
.card h2 span{font-weight:400;font-size:.8125rem;color:var(--text-2)}
.card h2 .icon{font-size:1rem}

#phone{position:relative;min-height:35rem;padding:.625rem .875rem 1rem;border:.5625rem solid #16181d;
border-radius:2.25rem;display:flex;flex-direction:column;gap:.5625rem;
background:linear-gradient(light-dark(#dfeaec,#182a30),light-dark(#f4efe3,#211d15))}
@media (prefers-color-scheme:dark){#phone{border-color:#3a3f49}}
.phone-bar{display:flex;justify-content:space-between;align-items:center;padding:0 .75rem .25rem;
font-weight:600;font-size:.8125rem}
.stacked{display:block;width:100%;padding:.5rem .875rem;border:0;border-radius:.75rem;text-align:left;
background:light-dark(#f3f8f8,#22343a);font-weight:400}
.beneath{padding:0 .875rem;color:var(--text-2);font-size:.8125rem}
.stacked>strong,.stacked>span{display:block;overflow-wrap:anywhere}
.stacked span{color:var(--text-2)}
.order{background:var(--surface);border-radius:1rem;padding:1rem 1.125rem 1.125rem;
box-shadow:0 1px 2px rgb(0 0 0/.08),0 8px 24px rgb(0 0 0/.1)}
.order-head{display:flex;justify-content:space-between;margin-bottom:.75rem}
.order-head span{color:var(--text-2);font-size:.8125rem}
.order h2{font-size:1.0625rem;line-height:1.5rem;overflow-wrap:anywhere}
.amount{font-size:2.25rem;line-height:1.25;font-weight:650;letter-spacing:-.03em;margin:.125rem 0 .5rem;
white-space:nowrap}
.amount.long{font-size:1.125rem;letter-spacing:-.01em;white-space:normal}
.amount span{font-size:1.125rem;font-weight:400;letter-spacing:0;color:var(--text-2)}
.order dl{display:grid;grid-template-columns:auto minmax(0,1fr);gap:.25rem 1rem;margin-bottom:1rem}
.order dt{color:var(--text-2)}
.order dd{margin:0;overflow-wrap:anywhere}
.order button{width:100%;min-height:2.75rem;font-size:.9375rem;border-radius:.625rem}
.primary{background:var(--fill);border-color:var(--fill);color:#fff;font-weight:600}
.primary:hover{background:color-mix(in oklch,var(--fill) 88%,#000)}
.primary kbd{color:#fff;border-color:rgb(255 255 255/.55)}
.order .pair button{flex:1 1 auto;width:auto;padding-inline:.25rem;font-size:.875rem;white-space:nowrap}
.people{display:grid;gap:.25rem;margin-top:.5rem}
.order .person{padding-block:.125rem;text-align:left;font-size:.875rem}
@media (min-width:60.0625rem){.order .person{min-height:2.25rem}}
.pair{display:flex;gap:.5rem;margin-top:.5rem}
.intends{margin-top:.75rem;padding:.375rem .625rem;border-radius:.5rem;background:var(--warn-bg);color:var(--warn);
font-weight:600}
.answers{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:.25rem .5rem;margin-top:auto;
padding:.5rem .25rem 0;font-size:.8125rem}
.answers .tabs button{padding-inline:.5rem}
.below{margin-top:.5rem;text-align:center}
a{display:inline-block;padding:.3125rem .25rem;color:var(--accent);text-underline-offset:.1875rem}
.even{margin:auto;padding:1rem;text-align:center;color:var(--text-2);max-width:15rem}
.even h2{color:var(--text);font-size:1.0625rem;margin:.75rem 0 .25rem}
.bars{display:block;width:2rem;height:.5625rem;margin:0 auto;border:solid var(--accent);border-width:.1875rem 0}

.sum{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:baseline;gap:0 1rem;
margin:.375rem 0 .5rem;color:var(--text-2)}
.sum strong{color:var(--text);font-size:1.25rem;line-height:1.75rem;letter-spacing:-.015em}
table{width:100%;border-collapse:collapse}
th,td{padding:.5625rem .75rem .5625rem 0;text-align:left;border-bottom:1px solid var(--line-2);
vertical-align:middle}
th:last-child,td:last-child{padding-right:0;width:1%}
thead th{font-size:.75rem;line-height:1rem;font-weight:500;color:var(--text-2);border-bottom-color:var(--line)}
tbody th{font-weight:550;overflow-wrap:anywhere}
td{color:var(--text-2)}
.fours{white-space:nowrap}
.fours span+span{margin-left:.25em}
.payee{max-width:0;width:40%;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.when{white-space:nowrap}
.number{text-align:right;white-space:nowrap;color:var(--text)}
thead .number{color:var(--text-2)}
.unit{color:var(--text-2);font-size:.75rem}
.over td,.over th{color:var(--text-2)}
tbody tr:last-child>*{border-bottom:0}
.narrow{display:none}
.chip{display:inline-flex;align-items:center;gap:.3125rem;min-height:1.375rem;padding:0 .4375rem;
border:1px solid transparent;border-radius:.3125rem;font:500 .75rem/1.125rem var(--font);white-space:nowrap}
.ok{background:var(--ok-bg);color:var(--ok)}
.warn{background:var(--warn-bg);color:var(--warn)}
.bad{background:var(--bad-bg);color:var(--bad)}
.accent{background:var(--accent-bg);color:var(--accent)}
.outline{border-color:var(--line);color:var(--text)}
.plain{background:color-mix(in oklch,var(--surface) 94%,var(--text));color:var(--text-2)}

#bank tbody :is(th,td){padding-block:.375rem}
#bank td:last-child{white-space:nowrap}
#bank td .quiet-button{min-height:0;padding:0 .125rem}
.faults{table-layout:fixed;border-collapse:separate;border-spacing:.375rem;width:calc(100% - 2.5rem);
margin-left:-.375rem}
.faults :is(th,td){padding:0;border:0;width:auto}
.faults tbody th{width:4rem;font-weight:500}
.faults thead td{width:4rem}
.faults tr>:nth-child(2){width:2.625rem}
.faults thead th{position:relative;height:6.25rem}
.fault{position:absolute;left:50%;bottom:.25rem;transform:rotate(-50deg);transform-origin:left bottom;
white-space:nowrap;font-size:.8125rem;line-height:1rem;font-weight:400;color:var(--text-2)}
.fault-name,.tabs.whose{display:none}
.none::before{content:"";display:block;height:2rem;border:1px dashed var(--line-2);border-radius:.4375rem}
.cell{width:100%;padding:0;color:var(--text-2)}
.armed{border-color:var(--warn);background:var(--warn-bg);color:var(--warn);font-weight:650}
.armed:hover{background:var(--warn-bg)}
.ready{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem;margin-top:1rem;padding-top:.875rem;
border-top:1px solid var(--line-2)}

summary{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem .75rem;min-height:2rem;cursor:pointer}
summary::after{content:"+";margin-left:auto;font-size:1.125rem;color:var(--text-2)}
details[open] summary::after{content:"−"}
summary .quiet{font-size:.8125rem}
form{display:grid;grid-template-columns:1fr 1fr;gap:.625rem .75rem;margin-top:.75rem;align-items:end}
label{display:grid;gap:.25rem;font-size:.8125rem;line-height:1.125rem;color:var(--text-2)}
input,select{width:100%;min-height:2.25rem;padding:.375rem .625rem;border:1px solid var(--line-strong);border-radius:.4375rem;
background:var(--surface);color:var(--text);font:400 .875rem/1.25rem var(--font)}
form button{min-height:2.25rem}
#by-hand-said:not(:empty){margin-top:.625rem}

.ways{flex-wrap:wrap;gap:.25rem;margin-top:.25rem}
.mails{max-height:15.5rem;margin:.5rem -1.125rem 0;padding:0;overflow-y:auto;list-style:none;
border-block:1px solid var(--line-2)}
.mails li{position:relative}
.mails li+li{border-top:1px solid var(--line-2)}
.mail{display:grid;grid-template-columns:1.25rem minmax(0,1fr) auto;gap:0 .5rem;width:100%;min-height:0;padding:.5rem 1.125rem;
border:0;border-radius:0;text-align:left;font-weight:400;background:none}
.mail .icon{margin-top:.125rem;color:var(--text-2)}
.mail strong{overflow:hidden;text-overflow:ellipsis;white-space:nowrap;font-weight:550}
.mail span{color:var(--text-2);font-size:.8125rem}
.mail .subject{grid-column:2/-1;overflow-wrap:anywhere}
.mail[aria-current=true]{background:var(--accent-bg);box-shadow:inset .1875rem 0 var(--accent)}
.mail:focus-visible{outline-offset:-3px}
.open-mail{padding-top:.625rem}
.open-mail h3{font-size:.875rem;line-height:1.25rem;font-weight:600;overflow-wrap:anywhere}
.open-mail>.quiet{margin-bottom:.5rem;font-size:.8125rem;overflow-wrap:anywhere}
.open-mail iframe{display:block;width:100%;height:20rem;border:1px solid var(--line-2);border-radius:.5rem;background:#fff;
color-scheme:light}
.open-mail pre{max-height:20rem;overflow:auto;padding:.75rem;border:1px solid var(--line-2);border-radius:.5rem;
font:400 .8125rem/1.25rem var(--font);white-space:pre-wrap;overflow-wrap:anywhere}
.attached{padding:0;margin-top:.5rem;list-style:none;font-size:.8125rem}
.attached li{display:flex;gap:.375rem;align-items:center}
.tabs{display:flex}.tabs.whose{overflow-x:auto}
.tabs button{min-height:1.75rem;padding:.125rem .625rem;border-radius:0}
.tabs button:first-child{border-radius:.4375rem 0 0 .4375rem}
.tabs button:last-child{border-radius:0 .4375rem .4375rem 0}
.tabs button+button{border-left:0}
.tabs.ways button{padding-inline:.4375rem;border:1px solid var(--line);border-radius:.4375rem}
.tabs [aria-pressed=true]{background:color-mix(in oklch,var(--surface) 92%,var(--text));font-weight:600}
.sums{margin:.375rem 0 .625rem}
.sums :is(th,td){padding:.3125rem 0;border:0;width:auto}
.sums thead :is(th,td){padding-bottom:0}
.closed{display:inline-block;border-bottom:3px double currentColor}
.facts{display:grid;grid-template-columns:1fr auto;gap:.125rem 1rem;padding-top:.5rem;border-top:1px solid var(--line-2)}
.facts dt{color:var(--text-2)}
.facts dd{margin:0;text-align:right;font-weight:550}
.wrong{margin-top:.5rem;padding:.625rem .75rem;border-radius:.5rem;background:var(--bad-bg);color:var(--bad);
overflow-wrap:anywhere}
.wrong ul{padding-left:1rem}
.wrong p{margin-top:.25rem;font-weight:600}
#ledger .quiet-button{margin:.25rem 0 0 -.25rem}
.checks{padding:0;list-style:none;font-size:.8125rem;line-height:1.25rem}
.checks li{display:flex;gap:.5rem;padding:.125rem 0;overflow-wrap:anywhere}
.checks .icon{margin-top:.1875rem;color:var(--text-2)}
#activity ol{max-height:14rem;overflow-y:auto;padding:0;margin-top:.5rem;list-style:none}
#activity li{display:grid;grid-template-columns:3.75rem 1fr;gap:.5rem;padding:.4375rem 0;border-top:1px solid var(--line-2);
font-size:.8125rem;line-height:1.25rem;overflow-wrap:anywhere}
#activity li span{color:var(--text-2)}

footer{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem 1.5rem;padding:.5rem 1.5rem;
background:var(--surface);border-top:1px solid var(--line);font-size:.8125rem}
#foot{display:flex;flex-wrap:wrap;gap:.125rem 1.25rem;color:var(--text-2)}
#foot strong{color:var(--text);margin-left:.125rem}
.verdict{display:inline-flex;align-items:center;gap:.375rem;color:var(--text);font-weight:600}
#keys{margin-left:auto}
#keys[aria-pressed=true]::after{content:" on"}
#keys[aria-pressed=false]::after{content:" off"}

@media (max-width:88rem){main{grid-template-columns:18.5rem minmax(0,1fr) 19rem}}
@media (max-width:76rem){main{grid-template-columns:20rem minmax(0,1fr)}.right{grid-column:1/-1}}
@media (max-width:60rem){
header,footer{padding-inline:1rem}#day{margin-left:0}
main{grid-template-columns:minmax(0,1fr);padding:1rem}
#alert{margin-inline:1rem}
nav{position:sticky;top:0;z-index:1;display:flex;justify-content:space-between;overflow-x:auto;padding:0 .75rem;
background:var(--surface);border-bottom:1px solid var(--line)}
[data-region]{scroll-margin-top:3.75rem}
#phone{min-height:0;width:100%;max-width:24rem;margin:0 auto}
button,a,.tabs button,summary,input,select,form button{min-height:2.75rem}a{padding-block:.6875rem}}
@media (max-width:40rem){
.today{white-space:normal}
.wide{display:none}
.narrow{display:block;font-weight:400;font-size:.8125rem;line-height:1.125rem;color:var(--text-2)}
.card{padding:.875rem 1rem}
#bank td:last-child{white-space:normal}
.fours{white-space:normal}.fours span{display:inline-block}
th,td{padding-right:.5rem}
.tabs.whose{display:flex;margin:.25rem 0 .5rem}
.whose button{flex:1}
.faults,.faults tbody{display:block;width:auto;margin:0}
.faults :is(thead,tbody th,.none,tr){display:none}
.faults tr.picked{display:grid;grid-template-columns:1fr 1fr;gap:.125rem 1rem}
.faults tr.picked td:not(.none){display:grid;width:auto;grid-template-columns:minmax(0,1fr) 3rem;align-items:center;gap:.375rem}
.fault-name{display:block;font-size:.8125rem;line-height:1rem}}
@media (hover:none){kbd,#keys{display:none}}
@media (prefers-reduced-motion:reduce){button{transition:none}}
@media (forced-colors:active){.chip{border-color:currentColor}}
`
