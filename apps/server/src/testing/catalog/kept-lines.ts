/** What a migration does that the catalog alone cannot tell to be harmless, and the file says to be. */

/** Such as `-- keeps: constraint task_kind on task, because it takes one kind more`. */
const LINE = /^-- keeps: (.+), because .{10,}$/gm

/** The names that a file answers for, as breaksBetween has them. */
export const keptIn = (sql: string): string[] => [...sql.matchAll(LINE)].map(([, name = '']) => name)
