import type { AtLeastOneOf, CustomResource } from 'opsdk';

interface Contact {
  email?: string;
  phone: string;
  name?: string;
}

export interface Sample extends CustomResource {
  spec: {
    contact: AtLeastOneOf<Contact, 'email' | 'phone'>;
    any: AtLeastOneOf<Contact>;
  };
}
