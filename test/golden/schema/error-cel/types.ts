import type { CustomResource } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /** @cel */
    a: string;
    /** @cel {"rule": "self > 1", "mesage": "x"} */
    b: string;
    /** @cel {"rule": "self > 1", } */
    c: string;
    /** @cel {"message": "x"} */
    d: string;
    /** @cel {"rule": "self != ''", "reason": "Because"} */
    e: string;
    /** @cel {"rule": "self != ''", "optionalOldSelf": true} */
    f: string;
    /** @cel {"rule": "self != ''", "message": 1} */
    g: string;
    /** @cel self != '' : "two\nlines" */
    h: string;
    /** @cel self != '' : 'single quotes' */
    i: string;
    /** @cel self != '': "no blank" */
    j: string;
  };
}
