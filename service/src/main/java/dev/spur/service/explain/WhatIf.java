package dev.spur.service.explain;

import dev.spur.model.Checks;
import dev.spur.model.whatif.Change;
import java.util.List;

/**
 * A question about changes of the live state.
 *
 * @param changes applied in order to a copy
 */
record WhatIf(List<Change> changes) {
    WhatIf {
        changes = Checks.copy(changes);
    }
}
