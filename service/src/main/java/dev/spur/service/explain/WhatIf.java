package dev.spur.service.explain;

import dev.spur.model.Checks;
import dev.spur.model.whatif.Change;
import java.util.List;

/**
 * A what-if request.
 *
 * @param changes changes that are applied in order to a copy of the live state
 */
record WhatIf(List<Change> changes) {
    WhatIf {
        changes = Checks.copy(changes);
    }
}
