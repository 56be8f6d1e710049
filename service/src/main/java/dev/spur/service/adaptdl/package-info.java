/**
 * The two routes of AdaptDL's supervisor, for training code written for AdaptDL, without a token. A caller is
 * restricted to the key of one generation of one job: it reports throughput and reads the addresses of the members.
 */
@NullMarked
package dev.spur.service.adaptdl;

import org.jspecify.annotations.NullMarked;
