import type { CustomResource } from 'opsdk';

type Port = number;

interface Part {
  size: number;
}

export interface Sample extends CustomResource {
  spec: {
    replicas: number;
    port?: Port;
    list: number[];
    map: Record<string, number>;
    orNull: number | null;
    /** @format hex */
    wrongFormat: number;
    one: Part;
    two: Part;
    partial: Partial<Part>;
  };
}
