import type { AtMostOneOf, CustomResource, Int32 } from 'opsdk';

interface Budget {
  minAvailable?: Int32;
  maxUnavailable: Int32;
  name: string;
}

export interface Sample extends CustomResource {
  spec: {
    budget: AtMostOneOf<Budget, 'minAvailable' | 'maxUnavailable'>;
    all?: AtMostOneOf<Pick<Budget, 'minAvailable' | 'maxUnavailable'>>;
    /** @cel self.a != "" */
    tagged?: AtMostOneOf<{ a?: string; b?: string }>;
  };
}
