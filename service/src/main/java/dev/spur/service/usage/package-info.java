/** Resource usage reports by tenant, user and label. */
@NullMarked
package dev.spur.service.usage;

import org.jspecify.annotations.NullMarked;
