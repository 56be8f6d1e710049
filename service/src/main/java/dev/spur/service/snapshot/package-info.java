/** Consistent snapshot of cluster and jobs at one version of the database: the input of a round and of analyses. */
@NullMarked
package dev.spur.service.snapshot;

import org.jspecify.annotations.NullMarked;
