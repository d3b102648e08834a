/** The look of the bank's signing page. Its own colours: the payer has left the portal. */
export const SIGN_STYLE = `
:root{color-scheme:light dark;
--bg:light-dark(#f6f7f9,#121418);--surface:light-dark(#fff,#1b1e24);--text:light-dark(#16181d,#e8eaee);
--text-2:light-dark(#4a4f57,#aab0ba);--line:light-dark(#d9dce1,#343943);--fill:light-dark(#0b5c6b,#0f6d7e);
--accent:light-dark(#0b5c6b,#63b7c6);
--font:system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans",sans-serif}
*{box-sizing:border-box;margin:0}
body{background:var(--bg);color:var(--text);font:400 1rem/1.5rem var(--font);
font-variant-numeric:tabular-nums lining-nums}
header{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem .75rem;padding:.75rem 1rem;
background:var(--surface);border-bottom:1px solid var(--line)}
.mark{width:1.75rem;height:1.75rem;border-radius:50%;border:.4375rem solid var(--accent)}
.name{font-weight:600;font-size:1.125rem;letter-spacing:-.01em}
.tape{margin-left:auto;padding:.125rem .625rem;border-radius:.375rem;font-size:.8125rem;line-height:1.25rem;
font-weight:600;color:#3b2500;background:repeating-linear-gradient(135deg,#ffc766 0 12px,#ffbb45 12px 24px)}
main{max-width:27rem;margin:0 auto;padding:1.5rem 1rem 2.5rem}
h1{font-size:1.5rem;line-height:1.875rem;letter-spacing:-.015em;margin-bottom:1.5rem;text-wrap:balance}
.label{font-size:.875rem;line-height:1.375rem;color:var(--text-2)}
.payee{font-size:1.125rem;line-height:1.625rem;font-weight:600;margin-bottom:.75rem;overflow-wrap:anywhere}
.amount{font-size:2.5rem;line-height:1.1;font-weight:650;letter-spacing:-.03em;margin-bottom:1.25rem}
.amount span{font-size:1.25rem;font-weight:400;letter-spacing:0;color:var(--text-2)}
dl{border-top:1px solid var(--line);margin-bottom:1.75rem}
dl div{display:grid;grid-template-columns:8rem 1fr;gap:.75rem;padding:.6875rem 0;
border-bottom:1px solid var(--line)}
dt{color:var(--text-2)}dd{margin:0;overflow-wrap:anywhere}
button,.primary{display:block;width:100%;min-height:3rem;padding:.625rem 1rem;border-radius:.625rem;
border:1px solid light-dark(#6b7280,#7b818b);background:var(--surface);color:var(--text);
font:500 1rem/1.5rem var(--font);text-align:center;text-decoration:none;cursor:pointer}
.primary{background:var(--fill);border-color:var(--fill);color:#fff;font-weight:600}
button:hover,.primary:hover{filter:brightness(.95)}
:focus-visible{outline:3px solid var(--text);outline-offset:2px}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:.75rem;margin-top:.75rem}
@media (max-width:29.9375rem){.tape{margin-left:0}}
@media (min-width:30rem){main{margin-top:2.5rem;padding:2rem;background:var(--surface);
border:1px solid var(--line);border-radius:1rem}}
`
