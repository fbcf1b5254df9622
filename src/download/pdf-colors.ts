import { rgb } from '@cantoo/pdf-lib'

// The design's color tokens for printing.

export const INK_COLOR = rgb(0x14 / 255, 0x20 / 255, 0x1a / 255)
export const MUTED_INK_COLOR = rgb(0x55 / 255, 0x62 / 255, 0x5b / 255)
export const LINE_COLOR = rgb(0xdf / 255, 0xdb / 255, 0xd0 / 255)
export const FIELD_GREEN_COLOR = rgb(0x14 / 255, 0x53 / 255, 0x2d / 255)
export const GOLD_COLOR = rgb(0x9a / 255, 0x6b / 255, 0)
