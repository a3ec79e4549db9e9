import type { CustomResource } from 'opsdk';
import type { Missing } from './missing.ts';
import type { NotThere } from '../objects/shared/types.ts';
import type { Thing } from 'no-such-package';
import type { NoSuchUtility } from 'opsdk';
import type { NoSuchKind } from 'opsdk/k8s/core/v1';
import type { X } from 'opsdk/k8s/nope/v1';
import * as all from './elsewhere.ts';

export interface Sample extends CustomResource {
  spec: {
    missing: Missing;
    notThere: NotThere[];
    thing?: Thing;
    utility: NoSuchUtility;
    kind: NoSuchKind;
    group: X;
    undeclared: Undeclared;
    namespaced: all.Thing;
    query: typeof nothing;
    buffer: Buffer;
  };
}

export interface Unused {
  fine: AlsoMissing;
}
