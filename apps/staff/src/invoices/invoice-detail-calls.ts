/** What stands behind one invoice, each asked for by itself. */
import { staffCall } from '@kvitt/office/calls.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../calls.ts'

const key = (id: string, part: string) => ['invoices', part, id] as const

export const rowsQuery = (id: string) =>
  queryOptions({
    queryKey: key(id, 'rows'),
    queryFn: ({ signal }) => api.ask(staffCall('GET', '/client/invoices/:id/rows', { id }), { signal }),
  })

export const storyQuery = (id: string) =>
  queryOptions({
    queryKey: key(id, 'events'),
    queryFn: ({ signal }) => api.ask(staffCall('GET', '/client/invoices/:id/events', { id }), { signal }),
  })

export const outlookQuery = (id: string) =>
  queryOptions({
    queryKey: key(id, 'outlook'),
    queryFn: ({ signal }) => api.ask(staffCall('GET', '/client/invoices/:id/outlook', { id }), { signal }),
  })

export const explanationQuery = (id: string) =>
  queryOptions({
    queryKey: key(id, 'explanation'),
    queryFn: ({ signal }) =>
      api.ask(staffCall('GET', '/client/invoices/:id/explanation', { id }), { signal }),
  })

export const documentsQuery = (id: string) =>
  queryOptions({
    queryKey: key(id, 'documents'),
    queryFn: ({ signal }) => api.ask(staffCall('GET', '/client/invoices/:id/documents', { id }), { signal }),
  })

export const messagesQuery = (id: string) =>
  queryOptions({
    queryKey: key(id, 'messages'),
    queryFn: ({ signal }) => api.ask(staffCall('GET', '/client/invoices/:id/messages', { id }), { signal }),
  })

export const actsQuery = (id: string) =>
  queryOptions({
    queryKey: key(id, 'acts'),
    queryFn: ({ signal }) => api.ask(staffCall('GET', '/client/invoices/:id/acts', { id }), { signal }),
  })
