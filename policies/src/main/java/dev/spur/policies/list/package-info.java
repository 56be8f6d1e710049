/** List-scheduling policies: jobs in an order, each with its requested slots. */
@NullMarked
package dev.spur.policies.list;

import org.jspecify.annotations.NullMarked;
