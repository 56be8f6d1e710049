/** The schedulers of Determined 0.38: by priority, and by fair share. */
@NullMarked
package dev.spur.policies.determined;

import org.jspecify.annotations.NullMarked;
