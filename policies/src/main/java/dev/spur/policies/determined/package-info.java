/** Schedulers of Determined 0.38: priority and fair share. */
@NullMarked
package dev.spur.policies.determined;

import org.jspecify.annotations.NullMarked;
