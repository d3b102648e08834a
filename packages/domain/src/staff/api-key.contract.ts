/** The keys with which a creditor's programs call. A key is told once, when it is made. */
import { z } from 'zod'
import { clientCall, instant, LIST_QUERY, searchBody } from '../contract.ts'
import { KEY_SCOPES } from './roles.ts'
import { typedLine } from '../typed-text.contract.ts'

export const apiKey = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  lastFour: z.string(),
  scopes: z.array(z.enum(KEY_SCOPES)),
  createdAt: instant,
  expiresAt: instant.nullable(),
  usedAt: instant.nullable(),
  revokedAt: instant.nullable(),
})

export const searchApiKeys = clientCall({
  name: 'searchApiKeys',
  right: 'api_keys',
  method: 'POST',
  path: '/api-keys/search',
  query: z.object(LIST_QUERY),
  body: searchBody,
  response: z.array(apiKey),
  refusals: ['invalid_filter', 'invalid_paging'],
})

export const makeApiKey = clientCall({
  name: 'makeApiKey',
  right: 'api_keys',
  method: 'POST',
  path: '/api-keys',
  status: 201,
  body: z.object({
    name: typedLine(100),
    scopes: z.array(z.enum(KEY_SCOPES)).min(1),
    /** An instant in the future; without one it does not expire. */
    expiresAt: z.iso.datetime().nullish(),
  }),
  response: z.strictObject({ ...apiKey.shape, key: z.string() }),
  refusals: ['sign_in_again', 'date_in_the_past'],
})

export const revokeApiKey = clientCall({
  name: 'revokeApiKey',
  right: 'api_keys',
  method: 'DELETE',
  path: '/api-keys/:id',
  status: 204,
  response: z.undefined(),
  refusals: ['sign_in_again'],
})
