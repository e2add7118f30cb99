package main

import (
	"bytes"
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"encoding/binary"
	"fmt"
)

// platform is an operating system and an architecture, with the tags of its wheel.
type platform struct {
	os, arch string
	tags     []string
}

// macOS is the oldest version that the wheels for macOS name. Go supports none before it.
const macOS = 12

// platforms are those of the wheels.
var platforms = []platform{
	{"linux", "amd64", []string{"manylinux_2_17_x86_64", "manylinux2014_x86_64", "musllinux_1_1_x86_64"}},
	{"linux", "arm64", []string{"manylinux_2_17_aarch64", "manylinux2014_aarch64", "musllinux_1_1_aarch64"}},
	{"darwin", "amd64", []string{fmt.Sprintf("macosx_%d_0_x86_64", macOS)}},
	{"darwin", "arm64", []string{fmt.Sprintf("macosx_%d_0_arm64", macOS)}},
	{"windows", "amd64", []string{"win_amd64"}},
	{"windows", "arm64", []string{"win_arm64"}},
}

// checkProgram fails if the headers of a program contradict the tags of its wheel: another
// format or processor, a library that a system may lack, or a later system.
func (p platform) checkProgram(program []byte) error {
	var err error
	switch p.os {
	case "linux":
		err = p.checkELF(program)
	case "darwin":
		err = p.checkMachO(program)
	case "windows":
		err = p.checkPE(program)
	default:
		err = fmt.Errorf("there are no wheels for it")
	}
	if err != nil {
		return fmt.Errorf("the program for %s/%s: %w", p.os, p.arch, err)
	}
	return nil
}

// checkELF also fails if the program needs a loader or a library of its system: the tags
// for Linux name two C libraries, and the program must need neither.
func (p platform) checkELF(program []byte) error {
	f, err := elf.NewFile(bytes.NewReader(program))
	if err != nil {
		return err
	}
	machine := map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}[p.arch]
	if f.Machine != machine || f.Type != elf.ET_EXEC || f.Class != elf.ELFCLASS64 {
		return fmt.Errorf("it is %v for %v, want %v for %v", f.Type, f.Machine, elf.ET_EXEC, machine)
	}
	for _, s := range f.Progs {
		if s.Type == elf.PT_INTERP || s.Type == elf.PT_DYNAMIC {
			return fmt.Errorf("it is not static")
		}
	}
	return nil
}

// loadBuildVersion is the command of Mach-O that names the oldest system a program is for:
// LC_BUILD_VERSION of <mach-o/loader.h>. The platform is at byte 8, 1 being macOS, and the
// version at byte 12, its major number in the upper half.
const loadBuildVersion = 0x32

func (p platform) checkMachO(program []byte) error {
	f, err := macho.NewFile(bytes.NewReader(program))
	if err != nil {
		return err
	}
	cpu := map[string]macho.Cpu{"amd64": macho.CpuAmd64, "arm64": macho.CpuArm64}[p.arch]
	if f.Cpu != cpu || f.Type != macho.TypeExec {
		return fmt.Errorf("it is %v for %v, want %v for %v", f.Type, f.Cpu, macho.TypeExec, cpu)
	}
	for _, l := range f.Loads {
		raw := l.Raw()
		if len(raw) < 16 || binary.LittleEndian.Uint32(raw) != loadBuildVersion {
			continue
		}
		system, version := binary.LittleEndian.Uint32(raw[8:]), binary.LittleEndian.Uint32(raw[12:])>>16
		if system != 1 || version > macOS {
			return fmt.Errorf("it is for version %d of system %d, the wheel for macOS %d", version, system, macOS)
		}
		return nil
	}
	return fmt.Errorf("it does not say which system it is for")
}

func (p platform) checkPE(program []byte) error {
	f, err := pe.NewFile(bytes.NewReader(program))
	if err != nil {
		return err
	}
	machine := map[string]uint16{"amd64": pe.IMAGE_FILE_MACHINE_AMD64, "arm64": pe.IMAGE_FILE_MACHINE_ARM64}[p.arch]
	header, ok := f.OptionalHeader.(*pe.OptionalHeader64)
	if !ok || f.Machine != machine || f.Characteristics&pe.IMAGE_FILE_EXECUTABLE_IMAGE == 0 {
		return fmt.Errorf("not a program for %s: machine %#x", p.arch, f.Machine)
	}
	if header.Subsystem != pe.IMAGE_SUBSYSTEM_WINDOWS_CUI {
		return fmt.Errorf("it has subsystem %d, want that of a console", header.Subsystem)
	}
	return nil
}
