import type { AtLeastOneOf, AtomicObject, CustomResource, ExactlyOneOf } from 'opsdk';
import type { Volume } from 'opsdk/k8s/core/v1';

interface Four {
  a?: string;
  b?: string;
  c?: string;
  d?: string;
}

export interface Sample extends CustomResource {
  spec: {
    both: AtLeastOneOf<ExactlyOneOf<Four, 'a' | 'b'>, 'c' | 'd'>;
    atomic: AtomicObject<ExactlyOneOf<Four>>;
    partial: ExactlyOneOf<Required<Four>, 'a' | 'b'>;
    builtIn: ExactlyOneOf<Volume, 'emptyDir' | 'secret' | 'configMap'>;
  };
}
