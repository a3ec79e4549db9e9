import type { CustomResource } from 'opsdk';
import type { PersistentVolumeClaim } from 'opsdk/k8s/core/v1';

export interface Sample extends CustomResource {
  spec: {
    /** As in a StatefulSet: a template, not an object of its own. */
    volumeClaimTemplates?: PersistentVolumeClaim[];
  };
}
