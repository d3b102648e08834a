import css from './dotted.module.css'

/** Short pieces with a dot between those that share a line: none dangles where a line ends. */
export function Dotted({ parts }: { parts: readonly (string | false)[] }) {
  return (
    <span className={css.clip}>
      <span className={css.parts}>
        {parts.map(
          (part) =>
            part && (
              <span key={part} className={css.part}>
                {part}
              </span>
            ),
        )}
      </span>
    </span>
  )
}
