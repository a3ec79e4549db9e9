import type { CatalogEntry } from './entry.ts';

export const clusterErrors = {
  'cluster/server-warning': {
    title: 'The API server warns',
    explain:
      'The request was carried out, but the API server or an admission webhook has something to say about it: a deprecated version, or a Pod that the security level of its namespace would not allow. The message is the server’s own.',
    exit: 1,
  },
} as const satisfies Record<`cluster/${string}`, CatalogEntry>;
