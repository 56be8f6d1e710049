/**
 * Data preparations, which run on host CPU and memory: their specification, their allocation and their memory loans.
 * The decisions on them belong to a round.
 */
@NullMarked
package dev.spur.model.dataprep;

import org.jspecify.annotations.NullMarked;
