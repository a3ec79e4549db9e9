import type { RawExtension, CustomResource, EmbeddedResource, Int32, Quantity } from 'opsdk';
import type { Deployment } from 'opsdk/k8s/apps/v1';
import type { SecretKeySelector } from 'opsdk/k8s/core/v1';
import type { JSONSchemaProps } from 'opsdk/k8s/apiextensions/v1';

interface Selector extends SecretKeySelector {
  more: string;
}

interface Open extends RawExtension {
  known: string;
}

export interface Sample extends CustomResource {
  spec: {
    selector: Selector;
    open: Open;
    partialOpen: Partial<RawExtension>;
    partialInt: Partial<Int32>;
    partialAny: Partial<EmbeddedResource>;
    recursive: JSONSchemaProps;
    amount: Quantity & { more: string };
    unknown: Deployment['spek'];
  };
}
