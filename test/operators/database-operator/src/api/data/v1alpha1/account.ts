import { defineResource, type CustomResource } from 'opsdk';

/** Account is a user of a Database; its credentials are in a Secret of the same name. */
export interface Account extends CustomResource<'data.example.com/v1alpha1', 'Account'> {
  spec: { database: string; role?: string };
  status?: { secretName?: string };
}

export const Account = defineResource<Account>({
  group: 'data.example.com',
  version: 'v1alpha1',
  kind: 'Account',
});
