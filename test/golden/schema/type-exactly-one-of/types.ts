import type { CustomResource, ExactlyOneOf, Int32 } from 'opsdk';
import type { ConfigMapVolumeSource, SecretVolumeSource } from 'opsdk/k8s/core/v1';

interface Source {
  /** Of the source. */
  name: string;
  git?: { url: string };
  http?: { url: string };
  oci: { image: string };
}

/**
 * A contact.
 *
 * @cel self.phone != '0' : "no zero"
 */
interface Contact {
  email?: string;
  phone?: string;
}

type OneSource = ExactlyOneOf<Source, 'git' | 'http' | 'oci'>;

export interface Sample extends CustomResource {
  spec: {
    /** Where it comes from. */
    source: OneSource;
    maybe?: OneSource | null;
    sources?: OneSource[];
    contact: ExactlyOneOf<Contact>;
    others: ExactlyOneOf<Source, Exclude<keyof Source, 'name'>>;
    one: ExactlyOneOf<{ only?: Int32 }>;
    inline: ExactlyOneOf<{ namespace?: string; 'a-b'?: string; 'c.d/e'?: string; a__b?: string }>;
    volume: ExactlyOneOf<{ configMap?: ConfigMapVolumeSource; secret?: SecretVolumeSource }>;
  };
}
