/** Settings of planning: those of the whole cluster, and the planning domains that divide it. */
@NullMarked
package dev.spur.service.settings;

import org.jspecify.annotations.NullMarked;
