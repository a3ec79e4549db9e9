import type { CustomResource, Int32 } from 'opsdk';

interface Manual {
  mode: 'Manual';
  /** @printerColumn */
  replicas: Int32;
}

interface Auto {
  mode: 'Auto';
  /** @printerColumn */
  replicas?: Int32;
  limit: Int32;
}

/** A thing. */
export interface Sample extends CustomResource {
  spec: Manual | Auto;
  status?: { ready: true; since: string } | { ready: false; reason: string };
}
