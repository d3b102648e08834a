import type { Context } from '../context.ts'
export async function loadCast(_context: Context, _folder: string): Promise<void> {}
